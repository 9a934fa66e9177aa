// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// A small contract that holds the native token for its owner.
contract Vault {
    address public immutable owner;

    event Deposited(address indexed from, uint256 value);
    event Withdrawn(address indexed to, uint256 value);

    constructor(address owner_) payable {
        owner = owner_;
        if (msg.value > 0) emit Deposited(owner_, msg.value);
    }

    receive() external payable {
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw(uint256 value) external {
        require(msg.sender == owner, "Vault: only the owner withdraws");
        (bool sent,) = owner.call{value: value}("");
        require(sent, "Vault: refused");
        emit Withdrawn(owner, value);
    }
}

/// Creates vaults with CREATE and with CREATE2, and shows creations that are undone by a revert.
contract Factory {
    event VaultCreated(address indexed owner, address vault, bool predictable);

    error Undone(address vault);

    function create() external payable returns (address vault) {
        vault = address(new Vault{value: msg.value}(msg.sender));
        emit VaultCreated(msg.sender, vault, false);
    }

    function create2(bytes32 salt) external payable returns (address vault) {
        vault = address(new Vault{value: msg.value, salt: salt}(msg.sender));
        emit VaultCreated(msg.sender, vault, true);
    }

    function createMany(uint256 count) external {
        for (uint256 i = 0; i < count; i++) emit VaultCreated(msg.sender, address(new Vault(msg.sender)), false);
    }

    /// Always reverts after the creation.
    function createAndUndo() external {
        revert Undone(address(new Vault(msg.sender)));
    }

    /// Succeeds although the creation inside it is undone.
    function rehearse() external returns (bool undone) {
        try this.createAndUndo() {
            undone = false;
        } catch {
            undone = true;
        }
    }
}
