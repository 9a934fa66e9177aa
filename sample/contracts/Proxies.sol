// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Ledger} from "./Ledger.sol";

/// What the proxies stand for: an ERC-20 token that is named once after its creation.
contract Shared is Ledger {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;

    function version() public pure virtual returns (uint256) {
        return 1;
    }

    /// ERC-1822: where a proxy keeps the address of this code.
    function proxiableUUID() external pure returns (bytes32) {
        return keccak256("PROXIABLE");
    }

    function initialize(string calldata name_, string calldata symbol_, address[] calldata holders, uint256 value)
        external
    {
        require(bytes(name).length == 0, "Shared: named before");
        name = name_;
        symbol = symbol_;
        for (uint256 i = 0; i < holders.length; i++) _mint(holders[i], value);
    }
}

/// The second version, under which a token can be renamed.
contract SharedRenamed is Shared {
    function version() public pure override returns (uint256) {
        return 2;
    }

    function rename(string calldata name_, string calldata symbol_) external {
        name = name_;
        symbol = symbol_;
    }
}

abstract contract Forwarder {
    event Upgraded(address indexed implementation);
    event BeaconUpgraded(address indexed beacon);

    function target() internal view virtual returns (address);

    function run(address code, bytes memory input) internal {
        (bool ok, bytes memory output) = code.delegatecall(input);
        if (ok) return;
        assembly {
            revert(add(output, 32), mload(output))
        }
    }

    fallback() external payable {
        address code = target();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), code, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok
            case 0 { revert(0, returndatasize()) }
            default { return(0, returndatasize()) }
        }
    }

    receive() external payable {}
}

/// A proxy that keeps the address of its code in the slot it is told: ERC-1967, ERC-1822 and older manners.
contract SlotProxy is Forwarder {
    bytes32 private immutable slot;
    address private immutable admin;

    constructor(bytes32 slot_, address code, bytes memory input) {
        slot = slot_;
        admin = msg.sender;
        set(slot_, code);
        run(code, input);
    }

    function upgradeTo(address code) external {
        require(msg.sender == admin, "SlotProxy: only the admin upgrades");
        set(slot, code);
    }

    function target() internal view override returns (address code) {
        bytes32 at = slot;
        assembly {
            code := sload(at)
        }
    }

    function set(bytes32 at, address code) private {
        assembly {
            sstore(at, code)
        }
        emit Upgraded(code);
    }
}

/// Tells its proxies where their code is.
contract Beacon {
    address public implementation;
    address private immutable admin = msg.sender;

    event Upgraded(address indexed implementation);

    constructor(address code) {
        implementation = code;
    }

    function upgradeTo(address code) external {
        require(msg.sender == admin, "Beacon: only the admin upgrades");
        implementation = code;
        emit Upgraded(code);
    }
}

/// A proxy that asks a beacon where its code is (ERC-1967).
contract BeaconProxy is Forwarder {
    bytes32 private constant SLOT = bytes32(uint256(keccak256("eip1967.proxy.beacon")) - 1);

    constructor(address beacon, bytes memory input) {
        bytes32 at = SLOT;
        assembly {
            sstore(at, beacon)
        }
        emit BeaconUpgraded(beacon);
        run(Beacon(beacon).implementation(), input);
    }

    function target() internal view override returns (address) {
        bytes32 at = SLOT;
        address beacon;
        assembly {
            beacon := sload(at)
        }
        return Beacon(beacon).implementation();
    }
}

/// Makes minimal proxies (ERC-1167).
contract CloneMaker {
    event Cloned(address indexed code, address clone);

    function clone(address code, bytes32 salt, bytes calldata input) external returns (address made) {
        bytes memory creation = abi.encodePacked(
            hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", code, hex"5af43d82803e903d91602b57fd5bf3"
        );
        assembly {
            made := create2(0, add(creation, 32), mload(creation), salt)
        }
        require(made != address(0), "CloneMaker: not made");
        emit Cloned(code, made);
        (bool ok,) = made.call(input);
        require(ok, "CloneMaker: refused");
    }
}
