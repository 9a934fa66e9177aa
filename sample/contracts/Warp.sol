// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// What the chains' precompile for messages to other chains answers, as far as sending goes.
interface IWarp {
    event SendWarpMessage(address indexed sender, bytes32 indexed messageID, bytes message);

    function sendWarpMessage(bytes calldata payload) external returns (bytes32 messageID);
    function getBlockchainID() external view returns (bytes32 blockchainID);
}

/// Stands at the precompile's address: the network's own node has it built in, the sample's has not.
contract WarpPrecompile is IWarp {
    uint32 private immutable network;
    bytes32 private immutable chain;

    constructor(uint32 network_, bytes32 chain_) {
        network = network_;
        chain = chain_;
    }

    function getBlockchainID() external view returns (bytes32) {
        return chain;
    }

    function sendWarpMessage(bytes calldata payload) external returns (bytes32 messageID) {
        bytes memory addressed = abi.encodePacked(
            uint16(0),
            uint32(1),
            uint32(20),
            msg.sender,
            uint32(payload.length),
            payload
        );
        bytes memory message = abi.encodePacked(
            uint16(0),
            network,
            chain,
            uint32(addressed.length),
            addressed
        );
        messageID = sha256(message);
        emit SendWarpMessage(msg.sender, messageID, message);
    }
}

/// Where the precompile stands on every chain.
library WarpAt {
    IWarp internal constant PRECOMPILE = IWarp(0x0200000000000000000000000000000000000005);
}

/// Sends texts to other chains.
contract Messenger {
    event Sent(bytes32 indexed destination, bytes32 indexed messageID, string text);

    function send(bytes32 destination, string calldata text) external returns (bytes32 messageID) {
        messageID = WarpAt.PRECOMPILE.sendWarpMessage(abi.encode(destination, text));
        emit Sent(destination, messageID, text);
    }
}

/// Tells the P-chain of an L1's validators, in the L1's name.
contract ValidatorManager {
    function tell(bytes[] calldata payloads) external {
        for (uint256 i = 0; i < payloads.length; i++) WarpAt.PRECOMPILE.sendWarpMessage(payloads[i]);
    }
}
