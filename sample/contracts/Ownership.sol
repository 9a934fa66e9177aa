// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ITokenReceiver} from "./Collectible.sol";

/// Who holds the tokens of an ERC-721 collection. Ids count up from 1.
abstract contract Ownership {
    uint256 public minted;
    mapping(uint256 => address) private holder;
    mapping(address => uint256) private held;
    mapping(uint256 => address) public getApproved;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
    event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
    event MetadataUpdate(uint256 tokenId);
    event BatchMetadataUpdate(uint256 fromTokenId, uint256 toTokenId);

    error NoSuchToken(uint256 tokenId);
    error NotAllowed(address caller, uint256 tokenId);

    function supportsInterface(bytes4 id) external pure virtual returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd || id == 0x5b5e139f || id == 0x49064906;
    }

    function ownerOf(uint256 tokenId) public view returns (address) {
        address current = holder[tokenId];
        if (current == address(0)) revert NoSuchToken(tokenId);
        return current;
    }

    function balanceOf(address account) external view returns (uint256) {
        return held[account];
    }

    function approve(address approved, uint256 tokenId) external {
        address current = ownerOf(tokenId);
        if (msg.sender != current && !isApprovedForAll[current][msg.sender]) revert NotAllowed(msg.sender, tokenId);
        getApproved[tokenId] = approved;
        emit Approval(current, approved, tokenId);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 tokenId) public {
        address current = ownerOf(tokenId);
        bool isAllowed = msg.sender == from || getApproved[tokenId] == msg.sender || isApprovedForAll[from][msg.sender];
        if (current != from || to == address(0) || !isAllowed) revert NotAllowed(msg.sender, tokenId);
        _set(from, to, tokenId);
    }

    function safeTransferFrom(address from, address to, uint256 tokenId) external {
        safeTransferFrom(from, to, tokenId, "");
    }

    function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public {
        transferFrom(from, to, tokenId);
        if (to.code.length > 0) {
            bytes4 answer = ITokenReceiver(to).onERC721Received(msg.sender, from, tokenId, data);
            require(answer == ITokenReceiver.onERC721Received.selector, "Ownership: refused");
        }
    }

    function burn(uint256 tokenId) external {
        if (ownerOf(tokenId) != msg.sender) revert NotAllowed(msg.sender, tokenId);
        _set(msg.sender, address(0), tokenId);
    }

    function _mint(address to) internal returns (uint256 tokenId) {
        tokenId = ++minted;
        _set(address(0), to, tokenId);
    }

    function _set(address from, address to, uint256 tokenId) private {
        delete getApproved[tokenId];
        if (from != address(0)) held[from] -= 1;
        if (to != address(0)) held[to] += 1;
        holder[tokenId] = to;
        emit Transfer(from, to, tokenId);
    }
}
